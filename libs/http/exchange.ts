/** The two sides of an HTTP call, so that controllers need not name the web framework. */
export type { CookieOptions, NextFunction, Request as HttpRequest, Response as HttpResponse } from 'express';
