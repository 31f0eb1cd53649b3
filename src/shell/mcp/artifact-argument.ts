import { id } from './arguments.js';

/**
 * How tools name their artifact: either argument does (`artifacts.md` 2), and the one that the section of the tool names
 * is listed.
 */
export const byArtifactId = {
  names: { artifactId: id('From artifact_list'), sessionId: id('The same').optional() },
  second: { artifactId: 'sessionId' },
} as const;

/** For tools that clients of other servers know: there the word is `sessionId`. */
export const bySessionId = {
  names: {
    sessionId: id('artifactId, from artifact_list'),
    artifactId: id('The same').optional(),
  },
  second: { sessionId: 'artifactId' },
} as const;
