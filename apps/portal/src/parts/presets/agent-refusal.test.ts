import { AppError } from '@longreach/kit/errors'
import { expect, test } from 'vitest'
import { agentRefusal, agentSilent, isSilent, refusedField } from './agent-refusal.ts'

test('a refusal of the agent has words by its code, with what the machine said', () => {
  const refusal = agentRefusal({ code: 'unreachable', message: 'EHOSTUNREACH', field: '0.host' })
  expect(refusal).toMatchObject({
    code: 'agent.unreachable',
    details: { said: 'EHOSTUNREACH', field: '0.host' },
  })
  expect(refusedField(refusal)).toBe('0.host')
  expect(isSilent(refusal)).toBe(false)
})

test('a refusal without a field is about the whole source', () => {
  const refusal = agentRefusal({ code: 'unreachable', message: 'no route' })
  expect(refusal.details).toEqual({ said: 'no route' })
  expect(refusedField(refusal)).toBeUndefined()
})

test('only the silence of the agent is silence, not another error of the server', () => {
  expect(isSilent(agentSilent())).toBe(true)
  expect(isSilent(new AppError(504, 'timeout'))).toBe(false)
  expect(isSilent(new Error('agent.silent'))).toBe(false)
  expect(refusedField(new Error('x'))).toBeUndefined()
})
