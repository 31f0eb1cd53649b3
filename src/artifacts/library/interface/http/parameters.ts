import type { PipeTransform } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';

/** An id of an address in lower case; what is none is answered like an unknown one. */
class KnownIdPipe implements PipeTransform<string, string> {
  constructor(private readonly thing: string) {}

  transform(value: string): string {
    if (!isUuid(value)) throw notFound(this.thing);
    return value.toLowerCase();
  }
}

export const projectId = new KnownIdPipe('Project');
export const artifactId = new KnownIdPipe('Artifact');
export const workspaceId = new KnownIdPipe('Workspace');

/** Number of a version in an address; what is none is answered like an unknown one. */
export const versionNumber: PipeTransform<string, number> = {
  transform(value) {
    if (!/^[1-9]\d{0,8}$/.test(value)) throw notFound('Version');
    return Number(value);
  },
};

/** A whole number of a query; absent and unreadable ones are null. */
export const optionalNumber: PipeTransform<unknown, number | null> = {
  transform(value) {
    return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : null;
  },
};

/** A text of a query; one that was named twice counts as absent. */
export const optionalText: PipeTransform<unknown, string | null> = {
  transform(value) {
    return typeof value === 'string' ? value : null;
  },
};
