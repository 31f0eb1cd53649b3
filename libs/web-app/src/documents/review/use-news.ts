import { useEffect, useRef } from 'react';
import { announce } from '../../components/announcer';
import type { Review } from '../shapes';

/** Says in the polite region what came in from elsewhere. */
export function useNews(review: Review): void {
  const before = useRef({ count: review.threads.length, version: review.document.currentVersion });
  useEffect(() => {
    const was = before.current;
    const now = { count: review.threads.length, version: review.document.currentVersion };
    before.current = now;
    if (now.version > was.version) announce(`Version ${now.version} arrived.`);
    else if (now.count > was.count) announce(`${now.count} threads now.`);
  }, [review]);
}
