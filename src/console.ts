#!/usr/bin/env node
import 'reflect-metadata';
import { consoleProgram } from './shell/console/program.js';

consoleProgram()
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
