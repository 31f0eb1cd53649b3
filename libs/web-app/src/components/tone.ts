/** What a colour means: it waits for you, went wrong, is settled, is in motion, or rests. */
export type Tone = 'warn' | 'bad' | 'good' | 'accent' | 'neutral';
