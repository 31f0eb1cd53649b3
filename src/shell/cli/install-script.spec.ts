import { spawnSync } from 'node:child_process';
import { installScript } from './install-script.js';

describe('the installer', () => {
  const script = installScript("https://loupe.example/it's");

  it('is sh that parses, and holds the address of the instance as one word', () => {
    const { status, stderr } = spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(script).toContain("instance='https://loupe.example/it'\\''s'");
  });

  it('does nothing when the download was cut at any line', () => {
    const lines = script.split('\n');
    const call = lines.findIndex((line) => line.startsWith('loupe_install "$@"'));
    expect(lines.slice(call + 1).join('')).toBe('');
    for (const count of [40, Math.floor(lines.length / 2), call]) {
      const part = `${lines.slice(0, count).join('\n')}\n`;
      const { stdout } = spawnSync('/bin/sh', [], {
        input: part,
        encoding: 'utf8',
        env: { PATH: '/nowhere' },
      });
      expect(stdout).toBe('');
    }
  });
});
