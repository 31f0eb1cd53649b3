import type { TypedArtifactType } from '../../domain/payload.js';
import type { PayloadProblem } from '../../domain/payload-rules.js';

/** Holds a payload to the JSON Schema of its type. */
export abstract class PayloadCheck {
  /** What does not fit, the first few; empty when the payload has the shape of the type. */
  abstract problemsOf(type: TypedArtifactType, payload: unknown): PayloadProblem[];
}
