// A link of a known speed in front of a server: bytes wait for their turn, all connections share the line.
import { connect, createServer } from 'node:net';

/** Waits shorter than this are not worth a timer, in milliseconds. */
const SHORTEST_WAIT = 2;

/** @returns its port, its speed, which may be set at any time, and how to end it */
export async function slowLink(port) {
  const sockets = new Set();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => passOn(near, far, bytes, up));
    far.on('data', (bytes) => passOn(far, near, bytes, down));
    near.on('end', () => far.end());
    far.on('end', () => near.end());
  });
  const up = new Line();
  const down = new Line();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: server.address().port,
    /** Of each direction. */
    set bytesPerSecond(speed) {
      for (const line of [up, down]) line.bytesPerSecond = speed;
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(done));
    },
  };
}

function passOn(from, to, bytes, line) {
  from.pause();
  line.after(bytes.length, () => {
    if (to.write(bytes)) from.resume();
    else to.once('drain', () => from.resume());
  });
}

class Line {
  free = 0;
  bytesPerSecond = Number.POSITIVE_INFINITY;

  /** Calls back when so many bytes have gone over the line, after all that came before. */
  after(bytes, arrived) {
    const now = performance.now();
    this.free = Math.max(now, this.free) + (bytes / this.bytesPerSecond) * 1000;
    const wait = this.free - now;
    if (wait < SHORTEST_WAIT) arrived();
    else setTimeout(arrived, wait);
  }
}
