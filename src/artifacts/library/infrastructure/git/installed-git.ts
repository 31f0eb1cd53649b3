import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { GitInstallation } from '../../application/ports/git-installation.js';
import { git } from './git-process.js';

/** Above this many repositories nobody waits for the count. */
const REPOSITORIES = 20_000;

@Injectable()
export class InstalledGit extends GitInstallation {
  private readonly root: string;

  constructor(configuration: Configuration) {
    super();
    this.root = configuration.values.artifactGitRoot;
  }

  override async version(): Promise<string | null> {
    try {
      const { stdout } = await git(this.root, ['--version']);
      return /(\d+\.\d+(\.\d+)?)/.exec(stdout.toString())?.[1] ?? null;
    } catch {
      return null;
    }
  }

  override async orphans(): Promise<number | null> {
    let count = 0;
    let seen = 0;
    for (const shard of await entries(this.root)) {
      for (const repository of await entries(join(this.root, shard))) {
        seen += 1;
        if (seen > REPOSITORIES) return null;
        count += (await entries(join(this.root, shard, repository, 'refs', 'loupe', 'orphan'))).length;
      }
    }
    return count;
  }
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
