/**
 * Hooks as git runs them. They hand what git tells them to the server over its socket, and print what it answers.
 * Written to disk when the server starts, because git runs files.
 */
export const HOOK_SCRIPT = `#!/bin/sh
exec "$LOUPE_HOOK_NODE" "$LOUPE_HOOK_PROGRAM" "$(basename "$0")"
`;

export const HOOK_PROGRAM = `'use strict';
const net = require('node:net');
const { env, exit, stdin, stderr } = process;
const say = (line, code) => stderr.write('Loupe: ' + line + '\\n', () => exit(code));
let updates = '';
stdin.setEncoding('utf8');
stdin.on('data', (part) => (updates += part));
stdin.on('end', () => {
  const socket = net.connect(env.LOUPE_HOOK_SOCKET);
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('connect', () =>
    socket.write(
      JSON.stringify({
        token: env.LOUPE_HOOK_TOKEN,
        hook: process.argv[2],
        updates,
        objects: env.GIT_OBJECT_DIRECTORY || null,
        alternates: env.GIT_ALTERNATE_OBJECT_DIRECTORIES || null,
      }) + '\\n',
    ),
  );
  socket.on('data', (part) => (answer += part));
  socket.on('error', () => say('The server could not be reached. Push again.', 1));
  socket.on('end', () => {
    try {
      const { accepted, lines } = JSON.parse(answer);
      stderr.write(lines.map((line) => 'Loupe: ' + line + '\\n').join(''), () => exit(accepted ? 0 : 1));
    } catch {
      say('The server gave no answer. Push again.', 1);
    }
  });
});
`;
