import { z } from 'zod'
import { Acts } from './act.ts'
import { Binding } from './binding.ts'
import { Format } from './format.ts'
import { Id, PropKey } from './id.ts'
import type { Json } from './json.ts'
import { boardLimits } from './limits.ts'
import { Paint, Text } from './text.ts'
import { openObject } from './open-object.ts'

/** Place and size: cells in a grid, px in a free group; `r` in degrees clockwise. */
export const Box = openObject({
  x: z.int().min(-20_000).max(20_000),
  y: z.int().min(-20_000).max(20_000),
  w: z.int().min(1).max(10_000),
  h: z.int().min(1).max(10_000),
  r: z.int().min(0).max(359).default(0),
})
export type Box = z.output<typeof Box>

/** Place on a phone: hidden, another order, another height in px, half the width. */
const Phone = openObject({
  hide: z.boolean().optional(),
  order: z.number().optional(),
  h: z.int().min(40).max(2_000).optional(),
  half: z.boolean().optional(),
})

const Look = openObject({
  fill: Paint.optional(),
  border: z.enum(['none', 'line']).optional(),
  radius: z.int().min(0).max(64).optional(),
  pad: z.int().min(0).max(64).optional(),
  title: Text.optional(),
  size: z.union([z.literal('auto'), z.int().min(8).max(200)]).optional(),
  align: z.enum(['left', 'centre', 'right']).optional(),
  valign: z.enum(['top', 'centre', 'bottom']).optional(),
})

/** Groups and roles, by their ids, that see or operate a node; absent is everybody. */
const Access = openObject({
  see: z.array(z.string().max(100)).max(boardLimits.groupsOfAccess).optional(),
  operate: z.array(z.string().max(100)).max(boardLimits.groupsOfAccess).optional(),
})

const AnyJson = z.custom<Json>(() => true).meta({ description: 'any value' })

const common = {
  id: Id,
  type: z.string().regex(/^[a-z][a-z0-9.-]{0,60}$/),
  order: z
    .string()
    .regex(/^[0-9A-Za-z]*[1-9A-Za-z]$/)
    .max(boardLimits.order),
  name: z.string().max(boardLimits.name).default(''),
  box: Box.default({ x: 0, y: 0, w: 1, h: 1, r: 0 }),
  phone: Phone.default({}),
  look: Look.default({}),
  bind: z
    .record(PropKey, Binding)
    .refine((all) => Object.keys(all).length <= boardLimits.bindingsOfNode, 'too_many')
    .default({}),
  format: z.record(PropKey, Format).default({}),
  acts: Acts.default({}),
  access: Access.optional(),
  lock: z.boolean().optional(),
  hide: z.boolean().optional(),
}

/** Properties of a page: its size in px and its background. */
const PageProps = openObject({
  title: Text.optional(),
  icon: z.string().max(60).optional(),
  width: z.int().min(320).max(7_680).optional(),
  height: z.int().min(200).max(20_000).optional(),
  background: Paint.optional(),
})

/** Properties of a group: a grid of columns and rows, or free places in px. */
const GroupProps = openObject({
  layout: z.enum(['grid', 'free']).optional(),
  columns: z.int().min(1).max(48).optional(),
  rowH: z.int().min(4).max(400).optional(),
  gap: z.int().min(0).max(64).optional(),
  pack: z.enum(['none', 'up']).optional(),
  clip: z.boolean().optional(),
  scroll: z.boolean().optional(),
  title: Text.optional(),
})

const props = z.record(z.string().max(80), AnyJson)

/** Node of a board: a page, a group of nodes, or a widget. What is not known in it is kept. */
export const Node = z
  .discriminatedUnion('kind', [
    openObject({
      ...common,
      kind: z.literal('page'),
      parent: z.null(),
      props: PageProps.default({}),
    }),
    openObject({
      ...common,
      kind: z.literal('group'),
      parent: Id.nullable(),
      props: GroupProps.default({}),
    }),
    openObject({
      ...common,
      kind: z.literal('widget'),
      parent: Id.nullable(),
      props: props.default({}),
    }),
  ])
  .meta({ id: 'Node' })
export type Node = z.output<typeof Node>
export type PageNode = Extract<Node, { kind: 'page' }>
export type GroupNode = Extract<Node, { kind: 'group' }>
export type WidgetNode = Extract<Node, { kind: 'widget' }>
