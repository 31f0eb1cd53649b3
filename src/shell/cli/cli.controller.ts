import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { notFound } from '#libs/kernel/errors.js';
import { CliReleases, type ReleaseList } from './cli-releases.js';
import { installScript } from './install-script.js';

/** The public door to the command: its installer, the list of releases and the archives (`cli.md` 5.6). */
@Controller()
export class CliController {
  private readonly script: string;

  constructor(
    private readonly releases: CliReleases,
    configuration: Configuration,
  ) {
    // The address that the operator configured, never the one that a request came to.
    this.script = installScript(configuration.url('/').replace(/\/$/, ''));
  }

  @Get('install.sh')
  @Header('Content-Type', 'text/x-shellscript; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  @Header('X-Content-Type-Options', 'nosniff')
  install(): string {
    return this.script;
  }

  @Get('cli/releases.json')
  @Header('Cache-Control', 'no-store')
  list(): ReleaseList {
    return this.releases.list();
  }

  @Get('cli/:file')
  @Header('Cache-Control', 'no-store')
  @Header('X-Content-Type-Options', 'nosniff')
  archive(@Param('file') file: string): StreamableFile {
    const found = this.releases.archive(file);
    if (!found) throw notFound('Release');
    return new StreamableFile(found.stream, { type: 'application/gzip', length: found.size });
  }
}
