import { z } from 'zod'
import { Id } from './id.ts'
import type { Json } from './json.ts'
import { boardLimits } from './limits.ts'
import { Box, Node } from './node.ts'

const order = z
  .string()
  .regex(/^[0-9A-Za-z]*[1-9A-Za-z]$/)
  .max(boardLimits.order)

/** Part of the document beside its nodes, in the place of a node's id. */
export const documentId = '@'

/** Place in a node or in the document: keys of objects, and in lists the `id` of an item. */
const SetPath = z.array(z.string().min(1).max(80)).min(1).max(boardLimits.setKeys)

/**
 * Change of a board, one of six. `set` without a value takes away; `before` is the item in front of which an
 * item of a list is put. `page.before` is the page in front of which one is put; absent is the end. `page`
 * of `add` is the page whose root group takes the node when its parent is gone.
 */
export const Change = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add'), node: Node, page: Id.optional() }),
  z.strictObject({ op: z.literal('remove'), id: Id }),
  z.strictObject({ op: z.literal('move'), id: Id, parent: Id, order, box: Box.optional() }),
  z.strictObject({
    op: z.literal('set'),
    id: z.union([Id, z.literal(documentId)]),
    path: SetPath,
    value: z.custom<Json>(() => true).optional(),
    before: z.string().max(24).optional(),
  }),
  z.strictObject({
    op: z.literal('page'),
    do: z.discriminatedUnion('do', [
      z.strictObject({ do: z.literal('add'), page: Node, root: Node, before: Id.optional() }),
      z.strictObject({ do: z.literal('move'), page: Id, before: Id.optional() }),
      z.strictObject({ do: z.literal('remove'), page: Id }),
    ]),
  }),
  z.strictObject({ op: z.literal('type'), id: Id, type: z.string().max(60) }),
])
export type Change = z.output<typeof Change>
export type ChangeOf<Op extends Change['op']> = Extract<Change, { op: Op }>

/** Reasons for which a change is left out; the others of its request are made all the same. */
export const dropCodes = [
  'gone',
  'exists',
  'fixed',
  'no_parent',
  'into_itself',
  'too_deep',
  'too_many_nodes',
  'too_many_pages',
  'too_many_bindings',
  'too_large',
  'last_page',
  'not_settable',
  'no_place',
  'item_id',
  'invalid',
] as const
export type DropCode = (typeof dropCodes)[number]

/** Inverse changes of one that was made, or the reason for which it was left out. */
export type Made = Change[] | DropCode
