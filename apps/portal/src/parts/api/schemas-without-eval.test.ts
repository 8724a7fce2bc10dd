import { expect, test } from 'vitest'
import './schemas-without-eval.ts'

test('zod compiles no schemas', async () => {
  const { config } = await import('zod')
  expect(config().jitless).toBe(true)
})
