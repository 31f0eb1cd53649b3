import { KnownIdPipe } from '#libs/http/request-values.js';

export const artifactId = new KnownIdPipe('Artifact');
export const workspaceId = new KnownIdPipe('Workspace');
