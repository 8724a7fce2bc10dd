import { expect, test } from 'vitest'
import { commandFor, serviceFor } from './connect-commands.ts'

const asked = { key: 'AAAA-BBBB', origin: 'https://portal.example', pairing: 'https://p/api/v1/' }

test('the command is for the machine and the way that were chosen [R-11]', () => {
  expect(commandFor({ kind: 'simulator', system: 'unix', ...asked })).toBe(
    'npm run edge -- --activation-key AAAA-BBBB --endpoint https://portal.example --simulate',
  )
  expect(commandFor({ kind: 'gateway', system: 'windows', ...asked })).not.toContain('--simulate')
  expect(commandFor({ kind: 'own', system: 'windows', ...asked })).toBe(
    `$env:ACTIVATION_KEY = 'AAAA-BBBB'\n$env:PAIRING_ENDPOINT = 'https://p/api/v1/'`,
  )
  expect(serviceFor({ system: 'unix', ...asked })).toContain(
    `export EDGE_ACTIVATION_KEY='AAAA-BBBB'`,
  )
})
