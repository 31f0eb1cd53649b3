import { Injectable } from '@nestjs/common';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { Connections } from '../ports/connections.js';

const TEXT_MAX = 100;
const REMEMBERED_MAX = 10_000;

/** Keeps what an MCP client calls itself, for Connected apps. It is a label and proves nothing. */
@Injectable()
export class NoteClientInfo {
  /** By connection, what this process wrote last: clients repeat themselves with every request. */
  private readonly written = new Map<string, string>();

  constructor(private readonly connections: Connections) {}

  async execute(
    actor: ConnectionActor,
    info: { readonly name: unknown; readonly version: unknown },
  ): Promise<void> {
    const name = labelOf(info.name);
    if (name === '') return;
    const version = labelOf(info.version);
    const mark = `${name}\n${version}`;
    if (this.written.get(actor.connectionId) === mark) return;
    if (this.written.size >= REMEMBERED_MAX) this.written.clear();
    this.written.set(actor.connectionId, mark);
    await this.connections.noteClientInfo(actor.connectionId, { name, version });
  }
}

function labelOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return [...value.replace(/[\p{Cc}\p{Surrogate}]/gu, ' ').trim()].slice(0, TEXT_MAX).join('');
}
