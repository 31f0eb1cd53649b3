import { Controller, Get, Post, Res, UseFilters } from '@nestjs/common';
import type { HttpResponse } from '#libs/http/exchange.js';
import { GetRegistrationState } from '../../application/queries/registration-state.js';
import { notInstalledPage, registrationClosedPage } from './pages/closed-pages.js';
import { PageFilter } from './pages/page.filter.js';
import { PageSender } from './pages/page-sender.js';

/** Says why nobody can register; a POST makes nobody. */
@Controller('register')
@UseFilters(PageFilter)
export class RegistrationController {
  constructor(
    private readonly registration: GetRegistrationState,
    private readonly pages: PageSender,
  ) {}

  @Get()
  show(@Res() response: HttpResponse): Promise<void> {
    return this.answer(response, 200);
  }

  @Post()
  submit(@Res() response: HttpResponse): Promise<void> {
    return this.answer(response, 403);
  }

  private async answer(response: HttpResponse, status: number): Promise<void> {
    const registration = await this.registration.execute();
    this.pages.send(
      response,
      registration.state === 'not-installed'
        ? notInstalledPage()
        : registrationClosedPage(status, registration.reason),
    );
  }
}
