import { z } from 'zod'
import { Binding } from './binding.ts'
import { Bands, StateMap } from './format.ts'
import { Id, Key, PropKey } from './id.ts'
import { boardLimits } from './limits.ts'
import { Node } from './node.ts'
import { Paint, Text } from './text.ts'
import { openObject } from './open-object.ts'

/** Newest schema of documents; an older one is migrated when it is read. */
export const boardSchema = 1

const range = z.string().regex(/^(?:\d{1,6}(?:s|m|h|d)|today|yesterday|week|month|shift)$/)

/** Settings of a board; the viewer has a value for what is absent. */
const Settings = openObject({
  scheme: z.enum(['auto', 'light', 'dark']).optional(),
  background: Paint.optional(),
  range: range.optional(),
  maxHz: z.number().min(0.1).max(20).optional(),
  zone: z.string().min(1).max(80).optional(),
  fit: z.enum(['width', 'page', 'none']).optional(),
  phone: z.enum(['auto', 'manual']).optional(),
  header: z.boolean().optional(),
  locked: z.boolean().optional(),
  idleS: z.int().min(0).max(3_600).optional(),
  style: z.enum(['quiet', 'coloured']).optional(),
})
type Settings = z.output<typeof Settings>

const keep = z.enum(['url', 'person', 'no']).optional()

/** Place for a device, which who opens the board fills: any of the model, or of a search. */
const Slot = openObject({
  label: Text,
  model: openObject({
    name: z.string().min(1).max(200),
    major: z.int().min(0).optional(),
  }).optional(),
  device: z.string().max(100).optional(),
  filter: z.string().max(500).optional(),
  many: z.boolean().optional(),
  keep,
  simulation: z.enum(['off', 'sine', 'ramp', 'steps', 'random', 'recorded']).optional(),
})
type Slot = z.output<typeof Slot>

const scalar = z.union([z.string().max(boardLimits.text), z.number(), z.boolean(), z.null()])

/** Value that widgets share, set by people or read from a binding. */
const Variable = openObject({
  type: z.enum(['number', 'text', 'bool', 'time', 'list']),
  value: z.union([scalar, z.array(scalar).max(boardLimits.options)]),
  options: z
    .array(openObject({ value: scalar, label: Text.optional() }))
    .max(boardLimits.options)
    .optional(),
  from: Binding.optional(),
  keep,
})
type Variable = z.output<typeof Variable>

const upTo = <Value extends z.ZodType>(key: z.ZodString, value: Value, most: number) =>
  z.record(key, value).refine((all) => Object.keys(all).length <= most, 'too_many')

/** Parts of a document beside its pages and nodes, each by its schema. */
export const headParts = {
  settings: Settings.default({}),
  slots: upTo(Key, Slot, boardLimits.slots).default({}),
  variables: upTo(Key, Variable, boardLimits.variables).default({}),
  maps: upTo(PropKey, StateMap, boardLimits.maps).default({}),
  bands: upTo(PropKey, Bands, boardLimits.bands).default({}),
}
export type HeadPart = keyof typeof headParts

/** Document of a board: what is not known in it is kept. */
export const Document = openObject({
  format: z.literal('longreach-board'),
  schema: z.literal(boardSchema),
  kind: z.enum(['dashboard', 'widget']),
  ...headParts,
  pages: z.array(Id).min(1).max(boardLimits.pages),
  nodes: z
    .record(Id, Node)
    .refine((all) => Object.keys(all).length <= boardLimits.nodes, 'too_many'),
}).meta({ id: 'Document' })
export type Document = z.output<typeof Document>

/** JSON Schema (2020-12) of documents as they are posted. */
export const documentJsonSchema = () =>
  z.toJSONSchema(Document, { io: 'input', unrepresentable: 'any' })
