// A load loop of our own: keep-alive connections that each send the next request when the last was answered.
import { Agent, request } from 'node:http';

/**
 * Sends the same request from `connections` sides for `seconds`.
 * @returns {Promise<{perSecond: number, p50: number, p99: number}>} times in milliseconds
 */
export async function load({ url, headers, body, connections = 16, seconds = 2, check }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const payload = Buffer.from(JSON.stringify(body));
  const times = [];
  let next = 0;
  const end = performance.now() + seconds * 1000;
  const side = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      next += 1;
      // Many clients behind one proxy, as the limit per address is one of the guards.
      const forwarded = { 'x-forwarded-for': `10.1.0.${next % 250}` };
      const chunks = await send(agent, url, { ...headers, ...forwarded }, payload);
      times.push(performance.now() - started);
      // Reading every answer would measure this process.
      if (times.length === 1) check(JSON.parse(Buffer.concat(chunks).toString()));
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, side));
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / elapsed,
    p50: times[Math.floor(times.length * 0.5)],
    p99: times[Math.floor(times.length * 0.99)],
  };
}

function send(agent, url, headers, payload) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': payload.length } },
      (answer) => {
        const chunks = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(chunks);
          else
            reject(
              new Error(
                `${url} answered ${answer.statusCode}: ${Buffer.concat(chunks).toString().slice(0, 300)}`,
              ),
            );
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}
