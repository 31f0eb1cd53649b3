import fc from 'fast-check';
import { argumentText } from './argument-text.js';

function request(payload: string, before = '', after = ''): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{${before}"payload":${payload}${after}}}}`;
}

describe('the text of an argument', () => {
  it('keeps keys in the order they came in, also those that look like numbers', () => {
    const sent = '{"region":"EU","2024":1,"2023":2,"10":3}';
    expect(argumentText(request(sent), 'payload')).toBe(sent);
    expect(JSON.stringify(JSON.parse(sent))).not.toBe(sent);
  });

  it('keeps numbers and escapes as they were written, and drops the white space between', () => {
    const sent = '{ "a" : [ 1.0 , 1e2 ,\n\t-0 ] , "b\\u0041\\"" : "two  spaces \\\\" }';
    expect(argumentText(request(sent, '"x" : "}{" , ', ' , "y":[]'), 'payload')).toBe(
      '{"a":[1.0,1e2,-0],"b\\u0041\\"":"two  spaces \\\\"}',
    );
  });

  it('takes the last of a repeated argument, as the parser does, and finds a name that is written with escapes', () => {
    expect(argumentText(request('1', '"payload":0,'), 'payload')).toBe('1');
    expect(argumentText(request('1').replace('"payload"', '"\\u0070ayload"'), 'payload')).toBe('1');
  });

  it.each([
    '{}',
    '[]',
    '7',
    '"text"',
    '{"params":7}',
    '{"params":{"arguments":{}}}',
    '{"params":{"arguments":[1]}}',
  ])('is null in %s', (body) => expect(argumentText(body, 'payload')).toBeNull());

  it('is what JSON.parse reads, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, other, indent) => {
        const body = JSON.stringify(
          { params: { arguments: { other, payload: value, more: other }, name: 't' }, id: 1 },
          null,
          indent,
        );
        expect(JSON.parse(argumentText(body, 'payload')!)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
