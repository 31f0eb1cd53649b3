import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { oauthBindings } from './oauth.bindings.js';
import { identifyRequests, peopleBindings } from './people.bindings.js';

/** People, their sign-in, and the authorization server for agents. */
@Module({
  controllers: [...peopleBindings.controllers, ...oauthBindings.controllers],
  providers: [...peopleBindings.providers, ...oauthBindings.providers],
  exports: [...peopleBindings.exports, ...oauthBindings.exports],
})
export class IdentityModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    identifyRequests(consumer);
  }
}
