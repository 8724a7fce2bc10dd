import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldRuleOf } from './field-rule.ts'

test.each([
  [z.object({ a: z.string() }), {}, { rule: 'required' }],
  [z.object({ a: z.string().min(1) }), { a: '' }, { rule: 'required' }],
  [z.object({ a: z.string().min(8) }), { a: 'x' }, { rule: 'short', limit: 8 }],
  [z.object({ a: z.string().max(2) }), { a: 'xyz' }, { rule: 'long', limit: 2 }],
  [z.object({ a: z.number().min(3) }), { a: 1 }, { rule: 'small', limit: 3 }],
  [z.object({ a: z.int().max(3) }), { a: 7 }, { rule: 'large', limit: 3 }],
  [z.object({ a: z.array(z.int()).max(1) }), { a: [1, 2] }, { rule: 'many', limit: 1 }],
  [z.object({ a: z.email() }), { a: 'nobody' }, { rule: 'form', format: 'email' }],
  [z.object({ a: z.string().regex(/^x$/) }), { a: 'y' }, { rule: 'form' }],
  [
    z.object({ a: z.stringFormat('host_name', /^x$/) }),
    { a: 'y' },
    { rule: 'form', format: 'host_name' },
  ],
  [
    z.object({ a: z.union([z.ipv4(), z.cidrv4()]) }),
    { a: 'y' },
    { rule: 'form', format: 'address' },
  ],
  [z.object({ a: z.union([z.boolean(), z.int()]) }), { a: 'y' }, { rule: 'other' }],
  [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, { rule: 'choice' }],
  [z.object({ a: z.string() }), { a: 7 }, { rule: 'type' }],
  [z.object({ a: z.string().refine(() => false) }), { a: 'x' }, { rule: 'other' }],
])('case %#: a broken field names its rule [V-03 in part]', (schema, value, rule) => {
  const { error } = schema.safeParse(value, { reportInput: true })
  expect(error?.issues.map(fieldRuleOf)).toEqual([rule])
})
