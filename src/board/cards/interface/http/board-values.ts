import type { PipeTransform } from '@nestjs/common';
import { KnownIdPipe } from '#libs/http/request-values.js';

export const cardId = new KnownIdPipe('Card');
export const columnId = new KnownIdPipe('Column');
export const documentId = new KnownIdPipe('Document');

/** Places and states of a board are counted far beyond 32 bits; absent and unreadable ones are null. */
export const optionalPlace: PipeTransform<unknown, number | null> = {
  transform(value) {
    return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : null;
  },
};

/** A filter of a query; blank ones, and one that was named twice, count as absent. */
export const optionalFilter: PipeTransform<unknown, string | null> = {
  transform(value) {
    const text = typeof value === 'string' ? value.replaceAll('\0', '').trim() : '';
    return text === '' ? null : text;
  },
};
