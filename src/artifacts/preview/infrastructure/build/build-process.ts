import { type BuildWork, doBuild, type FromBuild, type ToBuild } from './build-work.js';

/** Entry of the process that builds one preview: it asks its parent for each file, answers once, and ends. */
const waiting = new Map<string, { resolve(content: Uint8Array): void; reject(error: Error): void }[]>();

process.on('message', (message: ToBuild) => {
  if ('work' in message) {
    void answer(message.work);
    return;
  }
  const askers = waiting.get(message.path) ?? [];
  waiting.delete(message.path);
  for (const { resolve, reject } of askers) {
    if ('content' in message) resolve(message.content);
    else reject(new Error(message.missing));
  }
});
process.on('disconnect', () => process.exit(1));

async function answer(work: BuildWork): Promise<void> {
  const known = new Set(work.paths);
  const source = { paths: work.paths, has: (path: string) => known.has(path), read };
  try {
    tell({ result: await doBuild(work, source) });
  } catch (error) {
    tell({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function read(path: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const askers = waiting.get(path) ?? [];
    waiting.set(path, [...askers, { resolve, reject }]);
    if (askers.length === 0) tell({ read: path });
  });
}

function tell(message: FromBuild): void {
  process.send!(message);
}
