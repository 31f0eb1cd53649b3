import type { PipeTransform } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';

/** An id of an address in lower case; what is none is answered like an unknown one. */
export class KnownIdPipe implements PipeTransform<string, string> {
  constructor(private readonly thing: string) {}

  transform(value: string): string {
    if (!isUuid(value)) throw notFound(this.thing);
    return value.toLowerCase();
  }
}

export const projectId = new KnownIdPipe('Project');
export const cardId = new KnownIdPipe('Card');
export const columnId = new KnownIdPipe('Column');
export const documentId = new KnownIdPipe('Document');

/** A whole number of a query; absent and unreadable ones are null. */
export const optionalNumber: PipeTransform<unknown, number | null> = {
  transform(value) {
    return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : null;
  },
};

/** A text of a query; blank ones, and one that was named twice, count as absent. */
export const optionalText: PipeTransform<unknown, string | null> = {
  transform(value) {
    const text = typeof value === 'string' ? value.replaceAll('\0', '').trim() : '';
    return text === '' ? null : text;
  },
};
