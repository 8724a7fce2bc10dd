import { expect, test } from 'vitest'
import { agentCommand, endpointLines } from './agent-command.ts'

test.each([
  'https://portal.example',
  'http://localhost:8080',
  'http://127.0.0.1:8080',
  'http://[::1]:8080',
])('the command for %s is the plain one', (origin) => {
  expect(agentCommand('AAAA', origin)).toBe(
    `npm run edge -- --activation-key AAAA --endpoint ${origin}`,
  )
  expect(endpointLines(origin)).toBe(`endpoint: ${origin}`)
})

test('where the portal is not encrypted the command says so, which the agent asks for', () => {
  expect(agentCommand('AAAA', 'http://portal.example:8080')).toBe(
    'npm run edge -- --activation-key AAAA --endpoint http://portal.example:8080 --plain-http',
  )
  expect(endpointLines('http://portal.example')).toBe(
    'endpoint: http://portal.example\nplainHttp: true',
  )
})
