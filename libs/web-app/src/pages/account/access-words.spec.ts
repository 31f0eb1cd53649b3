import { accessWords, clientInfo, groupName } from './access-words';

describe('connected apps in words', () => {
  test('a scope without words is named as it is, never hidden', () => {
    expect(accessWords(['mcp', 'deploy'])).toEqual(['Use the tools of Loupe', 'deploy']);
  });

  test('identity 4.6: the host of a client stands for it, not the name it gave itself', () => {
    expect(groupName({ clientName: 'Your Bank', clientHost: 'evil.example.com', label: null })).toBe(
      'evil.example.com',
    );
    expect(groupName({ clientName: 'Loupe CLI', clientHost: null, label: 'quay-02' })).toBe('quay-02');
    expect(groupName({ clientName: 'Loupe CLI', clientHost: null, label: null })).toBe('Loupe CLI');
  });

  test('what a client told of itself may be text, name and version, or nothing', () => {
    expect(clientInfo({ name: 'claude-code', version: '2.1' })).toBe('claude-code 2.1');
    expect(clientInfo('loupe 2.4.1')).toBe('loupe 2.4.1');
    expect(clientInfo({})).toBeNull();
    expect(clientInfo(null)).toBeNull();
  });
});
