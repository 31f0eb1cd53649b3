import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { type ExploredTree, ExploreTree, type ExploreTreeInput } from './explore-tree.js';
import { History, type HistoryAnswer, type HistoryInput } from './history.js';
import { ReadFiles, type ReadFilesAnswer, type ReadFilesInput } from './read-files.js';
import { type FoundLines, SearchFiles, type SearchFilesInput } from './search-files.js';

export type ExploreInput = { readonly action?: string | null } & ExploreTreeInput &
  SearchFilesInput &
  ReadFilesInput &
  HistoryInput;

export type Explored = ExploredTree | FoundLines | ReadFilesAnswer | HistoryAnswer;

/** The four ways of looking into an artifact behind one tool. @throws InvalidInput for another action. */
@Injectable()
export class ExploreArtifact {
  constructor(
    private readonly tree: ExploreTree,
    private readonly search: SearchFiles,
    private readonly read: ReadFiles,
    private readonly history: History,
  ) {}

  async execute(actor: Actor, { action, ...input }: ExploreInput): Promise<Explored> {
    switch (action) {
      case 'tree':
        return this.tree.execute(actor, input);
      case 'search':
        return this.search.execute(actor, input);
      case 'read':
        return this.read.execute(actor, input);
      case 'history':
        return this.history.execute(actor, input);
      default:
        throw new InvalidInput([
          {
            argument: 'action',
            sentence: action == null ? 'is required' : 'must be one of tree, search, read, history',
          },
        ]);
    }
  }
}
