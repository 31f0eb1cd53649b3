/** The id under which a failed job runs again: `x` becomes `x_r1`, then `x_r2`, so that no old job of that id is in the way. */
export function nextRetryId(jobId: string): string {
  const match = /^(.*)_r(\d{1,6})$/.exec(jobId);
  return match ? `${match[1]}_r${Number(match[2]) + 1}` : `${jobId}_r1`;
}
