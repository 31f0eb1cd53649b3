import type { TypedArtifactType } from '../../domain/payload.js';

/** Addresses that answers carry. */
export abstract class TypedLinks {
  /** The page of one. */
  abstract chart(projectId: string, id: number): string;
  /** Path of the picture of one. */
  abstract picture(projectId: string, id: number): string;
  /** Where the JSON Schema of a type is served. */
  abstract schema(type: TypedArtifactType): string;
}
