import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';

@Global()
@Module({})
class Surroundings {}

/** What stands around a module under test: its ports of the kernel and of other contexts, by their tokens. */
export function surroundings(values: ReadonlyMap<unknown, unknown>): DynamicModule {
  const providers = [...values].map(([provide, value]) => ({
    provide: provide as Type,
    useFactory: () => value,
  }));
  return { module: Surroundings, providers, exports: providers.map((provider) => provider.provide) };
}

/** In the place of a module whose ports are among the surroundings. */
@Module({})
export class EmptyModule {}
