export const EXPORTS_QUEUE = 'exports';
export const BUILD_EXPORT = 'build-export';
export const EXPORT_ATTEMPTS = 4;

/** Id of the job that builds an export. */
export function exportJobId(exportId: string): string {
  return `export-${exportId}`;
}
