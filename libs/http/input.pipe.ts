import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { InvalidInput, type Problem } from '#libs/kernel/errors.js';

/**
 * Checks the shape of a body or query against its DTO: `@Body(inputPipe)`. Unknown fields are refused by name.
 * @throws InvalidInput with every wrong field, so the answer is a 422 like any other.
 */
export const inputPipe = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  exceptionFactory: (errors: ValidationError[]) => new InvalidInput(problemsOf(errors, '')),
});

function problemsOf(errors: readonly ValidationError[], prefix: string): Problem[] {
  return errors.flatMap((error) => {
    const argument = /^\d+$/.test(error.property)
      ? `${prefix}[${error.property}]`
      : `${prefix ? `${prefix}.` : ''}${error.property}`;
    const own = Object.entries(error.constraints ?? {});
    const inner = problemsOf(error.children ?? [], argument);
    if (own.length === 0) return inner;
    const [rule, message] = own[0]!;
    return [
      { argument, sentence: rule === 'whitelistValidation' ? 'is not a field of this request' : message },
      ...inner,
    ];
  });
}
