import { hasText, moveDrafts, type NewThread, requestOf, sendProblem } from './new-thread';

const draft = (over: Partial<NewThread> = {}): NewThread => ({
  key: 'k',
  mode: 'comment',
  anchor: { quote: 'two weeks', start: 20 },
  version: 1,
  textLength: 100,
  body: 'Say why.',
  replacement: '',
  ...over,
});

describe('a thread that is being written', () => {
  it('documents 5.2: sends quote, start and the version that was shown', () => {
    expect(requestOf(draft())).toEqual({
      version: 1,
      body: 'Say why.',
      anchor: { quote: 'two weeks', start: 20 },
    });
    expect(requestOf(draft({ anchor: null, mode: 'document' }))).toEqual({ version: 1, body: 'Say why.' });
  });

  it('documents 15.20: suggests the wording, and strikes with an empty one', () => {
    expect(requestOf(draft({ mode: 'suggest', replacement: 'three weeks' }))).toMatchObject({
      replacement: 'three weeks',
    });
    expect(requestOf(draft({ mode: 'strike', body: '' }))).toMatchObject({ replacement: '', body: '' });
  });

  it('holds back what is blank or changes nothing', () => {
    expect(sendProblem(draft({ body: '  ' }))).toBe('Write something first.');
    expect(sendProblem(draft({ mode: 'suggest', replacement: 'two weeks', body: '' }))).toBe(
      'Change the wording first.',
    );
    expect(sendProblem(draft({ mode: 'strike', body: '' }))).toBeNull();
    expect(sendProblem(draft({ lost: true }))).toMatch(/gone/);
  });

  it('knows whether throwing it away loses words', () => {
    expect(hasText(draft())).toBe(true);
    expect(hasText(draft({ body: ' ' }))).toBe(false);
    expect(hasText(draft({ mode: 'suggest', body: '', replacement: 'two weeks' }))).toBe(false);
    expect(hasText(draft({ mode: 'suggest', body: '', replacement: '' }))).toBe(true);
  });

  it('documents 15.33: follows its words into the version that the reader opens, and keeps the text when they are gone', () => {
    const moved = moveDrafts(
      [draft(), draft({ key: 'gone', anchor: { quote: 'drop it', start: 3 } })],
      2,
      'Keep it for two weeks.',
    );
    expect(moved[0]).toMatchObject({ version: 2, anchor: { quote: 'two weeks', start: 12 }, lost: false });
    expect(moved[1]).toMatchObject({ version: 1, lost: true, body: 'Say why.' });
  });

  it('comes back to life when the lost words return', () => {
    const [lost] = moveDrafts([draft()], 2, 'Nothing of that.');
    expect(lost!.lost).toBe(true);
    expect(moveDrafts([lost!], 3, 'Back: two weeks.')[0]).toMatchObject({ lost: false, version: 3 });
  });
});
