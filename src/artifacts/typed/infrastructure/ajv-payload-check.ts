import { Injectable } from '@nestjs/common';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { PayloadCheck } from '../application/ports/payload-check.js';
import { TYPED_ARTIFACT_TYPES, type TypedArtifactType } from '../domain/payload.js';
import { type PayloadProblem, PROBLEMS_SHOWN, pointerStep } from '../domain/payload-rules.js';
import { payloadSchema } from '../domain/payload-schemas.js';

/** Checks payloads with Ajv; schemas are compiled once, at the start. */
@Injectable()
export class AjvPayloadCheck extends PayloadCheck {
  private readonly checks: ReadonlyMap<TypedArtifactType, ValidateFunction>;

  constructor() {
    super();
    const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true });
    this.checks = new Map(
      TYPED_ARTIFACT_TYPES.map((type) => [type, ajv.compile(payloadSchema(type, `${type}.json`))]),
    );
  }

  override problemsOf(type: TypedArtifactType, payload: unknown): PayloadProblem[] {
    const check = this.checks.get(type)!;
    if (check(payload)) return [];
    return (check.errors ?? []).slice(0, PROBLEMS_SHOWN).map(problemOf);
  }
}

function problemOf(error: ErrorObject): PayloadProblem {
  const pointer = shortPointer(error.instancePath);
  const { params } = error as { params: Record<string, unknown> };
  switch (error.keyword) {
    case 'required':
      return { pointer: pointer + pointerStep(params.missingProperty as string), sentence: 'is required' };
    case 'additionalProperties':
      return {
        pointer: pointer + pointerStep(params.additionalProperty as string),
        sentence: 'is not a known key',
      };
    default:
      return { pointer, sentence: sentenceOf(error, params) };
  }
}

function sentenceOf(error: ErrorObject, params: Record<string, unknown>): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${anyOf([params.type].flat().map((type) => KINDS[type as string] ?? String(type)))}`;
    case 'enum':
      return `must be ${anyOf((params.allowedValues as unknown[]).map(String))}`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'minLength':
      return 'must not be empty';
    case 'minItems':
    case 'maxItems': {
      const { minItems, maxItems } = error.parentSchema as { minItems: number; maxItems: number };
      return `must hold ${minItems} to ${maxItems} entries`;
    }
    case 'minimum':
      return `must be ${params.limit} or more`;
    default:
      return error.message ?? 'does not fit';
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Ajv has escaped the steps already; a key that somebody made up may still be long or hold control characters. */
function shortPointer(path: string): string {
  return path
    .split('/')
    .slice(1)
    .map((step) => pointerStep(step.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join('');
}
