import { isAlarmAttribute } from '@longreach/authorization/alarm-visibility'
import { failure } from '@longreach/kit/errors'
import { mappingsContract } from '../contract.ts'
import type { Tree } from '../columns.ts'

const largest = 65_536
const most = 200
const deepest = 20
/** Names that programs mistake for something of their own. */
const refused = new Set(['__proto__', 'constructor', 'prototype'])

type Attribute = { key: string; value: unknown }

/**
 * One attribute as it is stored: well-known ones are judged, and the position stands in both orders
 * of its numbers. 422 at the field that is wrong.
 */
export function readAttribute({ key, value }: Attribute): Tree {
  if (refused.has(key)) throw attributeRefused('key', `An attribute cannot be called ${key}.`)
  if (isAlarmAttribute(key)) {
    throw attributeRefused(
      'key',
      `${key} follows the open alarms of the device; take another name.`,
    )
  }
  if (hasRefusedKey(value, 0)) {
    const message =
      'The value is nested too deeply, or has a key that programs mistake for their own.'
    throw attributeRefused('value', message)
  }
  if (JSON.stringify(value).length > largest) {
    throw failure(mappingsContract, 'attributes_too_large', {
      message: `An attribute has at most ${largest} characters.`,
      field: 'value',
    })
  }
  if (key === 'geoLocation') return positionValues(pairOf(value))
  if (key === 'geoLocationLonLat') return positionValues(pairOf(value)?.toReversed())
  return { [key]: value }
}

/** Both attributes of a position; without one both go. */
export function positionValues(latLon: readonly number[] | undefined): Tree {
  const [lat = 0, lon = 0] = latLon ?? []
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) {
    throw attributeRefused('value', 'A latitude is within 90 degrees and a longitude within 180.')
  }
  return { geoLocation: latLon ?? null, geoLocationLonLat: latLon?.toReversed() ?? null }
}

/** Refuse what would make a device have too many attributes; those of its alarms do not count. */
export function checkAttributeLimit(before: Tree, values: Tree) {
  const own = Object.keys(before).filter((key) => !isAlarmAttribute(key))
  const fresh = Object.keys(values).filter((key) => values[key] !== null)
  if (new Set([...own, ...fresh]).size <= most) return
  throw failure(mappingsContract, 'attributes_too_large', {
    message: `A device has at most ${most} attributes.`,
    field: 'key',
  })
}

function pairOf(value: unknown): [number, number] | undefined {
  if (value === null) return undefined
  const [one, other] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : []
  if (typeof one === 'number' && typeof other === 'number') return [one, other]
  throw attributeRefused('value', 'A position is two numbers in degrees.')
}

function hasRefusedKey(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth >= deepest) return true
  return Object.entries(value).some(
    ([key, inner]) => refused.has(key) || hasRefusedKey(inner, depth + 1),
  )
}

const attributeRefused = (field: string, message: string) =>
  failure(mappingsContract, 'attribute_refused', { message, field })
