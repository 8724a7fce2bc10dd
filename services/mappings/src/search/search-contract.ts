import { dataPage, flag, list } from '@longreach/kit/contract'
import { z } from 'zod'
import { listQuery } from '../asked-contract.ts'
import { Device } from './device-fields-contract.ts'
import { geoAggregations, geoGrid } from './geo-contract.ts'
import { deviceStates } from './state-contract.ts'

const text = z.string().max(500)
/** Fields or values; each is a condition of its own. */
const someTexts = list.pipe(z.array(text).max(50))

/** An expression as `connected == true and (label ~= "oven" or tags in ("line 1"))`. */
const expressionText = z.string().max(10_000)

/** `connected`, `presetId` and the like as plain filters, besides the wire's search fields. */
const state = {
  connected: flag.optional(),
  presetId: text.optional(),
  state: z.enum(deviceStates).optional(),
  /** With a position, or without one. */
  placed: flag.optional(),
}

const fields = {
  deviceId: text.optional(),
  searchField: text.optional(),
  searchValue: text.optional(),
  searchFields: someTexts.optional(),
  searchValues: someTexts.optional(),
  existingFields: someTexts.optional(),
}

/** The filters of a list in its address. */
export const listFilters = {
  search: listQuery.search,
  data: expressionText.optional(),
  ...fields,
  ...state,
  /** Id of a saved segment: its devices only. */
  segment: text.optional(),
}

/** With `scroll` the answer has a `scrollId`: with that one the next page, as long as there is one. */
export const scrolling = {
  scroll: flag.optional(),
  scrollId: z.string().max(20_000).optional(),
}

const point = z.array(z.number()).length(2)

/** Question of a search for devices, without the page; segments save it and bulk actions use it. */
export const DeviceQuestion = z.object({
  data: expressionText.nullish(),
  search: listQuery.search,
  ...state,
  segment: text.optional(),
  filters: z
    .object({
      ...fields,
      organizations: z.array(text).max(1_000).optional(),
      deviceIds: z.array(text).max(10_000).optional(),
      /** Of the search fields, any is enough. */
      matchAny: z.boolean().optional(),
    })
    .nullish(),
  scopedOrganization: text.optional(),
  /** `[latitude, longitude]`, and so are the corners. */
  geoLocation: point.optional(),
  /** Metres, or a number with m, km, mi or ft. */
  geoLocationDistance: z.union([z.number().min(0), z.string().max(40)]).optional(),
  geoBoundsTopLeft: point.optional(),
  geoBoundsBottomRight: point.optional(),
})
export type DeviceQuestion = z.output<typeof DeviceQuestion>

const figures = {
  /** Fields of which count, least, greatest, mean and sum are wanted. */
  statFields: z.array(text).max(20).optional(),
  /** Fields of which the number of different values is wanted. */
  countDistinct: z.array(text).max(20).optional(),
  ...geoGrid,
}

export const DeviceSearch = DeviceQuestion.extend({
  page: listQuery.page,
  pageSize: listQuery.pageSize,
  orderBy: listQuery.orderBy,
  orderDir: listQuery.orderDir,
  ...scrolling,
  ...figures,
})

/** A search for the figures alone: what a map asks as it is moved. */
export const FiguresSearch = DeviceQuestion.extend(figures)

const Stats = z.object({
  count: z.int(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  avg: z.number().nullable(),
  sum: z.number(),
})

/** Figures over everything that matches, whatever the page. */
export const DeviceAggregations = z.object({
  stats: z.record(z.string(), Stats).optional(),
  countDistinct: z.record(z.string(), z.int()).optional(),
  ...z.object(geoAggregations).partial().shape,
})
export type DeviceAggregations = z.output<typeof DeviceAggregations>

export const FoundDevices = dataPage(Device).extend({
  aggregations: DeviceAggregations.optional(),
  /** ms since 1970 when the answer was made. */
  timestamp: z.number(),
})
