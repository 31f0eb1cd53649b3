import type { PipeTransform } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';

/** The database keeps whole numbers in 32 bits; nothing that is counted comes near. */
const FURTHEST = 2_147_483_647;

/** An id of an address in lower case; what is none is answered like an unknown one. */
export class KnownIdPipe implements PipeTransform<string, string> {
  constructor(private readonly thing: string) {}

  transform(value: string): string {
    if (!isUuid(value)) throw notFound(this.thing);
    return value.toLowerCase();
  }
}

export const projectId = new KnownIdPipe('Project');

/** Number of a version in an address; what is none is answered like an unknown one. */
export const versionNumber: PipeTransform<string, number> = {
  transform(value) {
    if (!/^[1-9]\d{0,8}$/.test(value)) throw notFound('Version');
    return Number(value);
  },
};

/** A whole number of a query, within 32 bits; absent and unreadable ones are null. */
export const optionalNumber: PipeTransform<unknown, number | null> = {
  transform(value) {
    if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value)) return null;
    return Math.min(Math.max(Number(value), -FURTHEST), FURTHEST);
  },
};

/** A text of a query as it came; one that was named twice counts as absent. */
export const optionalText: PipeTransform<unknown, string | null> = {
  transform(value) {
    return typeof value === 'string' ? value : null;
  },
};
