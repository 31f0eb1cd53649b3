/** A slice of a list; `perPage` is already within its bounds. */
export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly perPage: number;
  readonly hasMore: boolean;
  readonly total?: number;
}

/** Whole numbers outside the range are clamped, never refused (`platform.md` 2). */
export function clampPage(
  page: number | undefined,
  perPage: number | undefined,
  limits: { defaultPerPage?: number; maxPerPage?: number } = {},
): PageRequest {
  const { defaultPerPage = 20, maxPerPage = 100 } = limits;
  return {
    page: Math.min(Math.max(page ?? 1, 1), 1_000_000),
    perPage: Math.min(Math.max(perPage ?? defaultPerPage, 1), maxPerPage),
  };
}
