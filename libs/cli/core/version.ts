declare const __LOUPE_CLI_VERSION__: string | undefined;
declare const __LOUPE_CLI_COMMIT__: string | undefined;

/** Version of the release, or null in a development build. The build of the program puts it in. */
export const VERSION: string | null =
  typeof __LOUPE_CLI_VERSION__ === 'string' && __LOUPE_CLI_VERSION__ !== '' ? __LOUPE_CLI_VERSION__ : null;

/** Short commit that the program was built from; empty when the build knew none. */
export const COMMIT: string = typeof __LOUPE_CLI_COMMIT__ === 'string' ? __LOUPE_CLI_COMMIT__ : '';

/** What requests of this program call themselves. */
export const USER_AGENT = `loupe-cli/${VERSION ?? 'development'}`;

/** `loupe 1.0.0 (<commit>)`; a development build names the commit only. */
export function versionLine(version: string | null = VERSION, commit: string = COMMIT): string {
  if (version === null) return `loupe ${commit || 'development'}`;
  return commit ? `loupe ${version} (${commit})` : `loupe ${version}`;
}
