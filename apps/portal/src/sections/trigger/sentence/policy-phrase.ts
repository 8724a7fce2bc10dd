import type { SinglePart } from '../editor/policy-tree.ts'

/** Words of one part of a policy: which phrase, and its values with the fields that they come from. */
type Phrase = {
  id: PhraseId
  values: Record<string, { value: string | number | undefined; field: string }>
  /** Limits of a band that are not as usual: those inside do not count, or those outside do. */
  ends?: { ends: 'both' | 'min' | 'max'; how: 'with' | 'without' }
}

const phraseIds = [
  'above',
  'atLeast',
  'below',
  'atMost',
  'between',
  'outside',
  'rises',
  'risesTo',
  'falls',
  'fallsTo',
  'enters',
  'leaves',
  'on',
  'off',
  'changes',
  'changesBy',
  'changesByPercent',
  'sent',
  'received',
  'connected',
  'disconnected',
  'vpnConnected',
  'vpnDisconnected',
] as const
type PhraseId = (typeof phraseIds)[number]

/** Phrase of a part that looks at one thing. */
export function phraseOf(part: SinglePart): Phrase {
  switch (part.type) {
    case 'ANALOG_BAND':
      return bandPhrase(part, bandIds)
    case 'ON_LEVEL':
      return levelPhrase(part)
    case 'ON_CHANGED':
      return changePhrase(part)
    case 'PASSTHROUGH':
      return { id: 'received', values: pathWord(part) }
    case 'CONNECTION': {
      const isOn = part.status === 'ON'
      if (part.source === 'VPN')
        return { id: isOn ? 'vpnConnected' : 'vpnDisconnected', values: {} }
      return { id: isOn ? 'connected' : 'disconnected', values: {} }
    }
  }
}

type Band = Extract<SinglePart, { type: 'ANALOG_BAND' | 'ON_LEVEL' }>
type BandIds = Record<'more' | 'moreOrEqual' | 'less' | 'lessOrEqual' | 'in' | 'out', PhraseId>

const bandIds: BandIds = {
  more: 'above',
  moreOrEqual: 'atLeast',
  less: 'below',
  lessOrEqual: 'atMost',
  in: 'between',
  out: 'outside',
}
const levelIds: BandIds = {
  more: 'rises',
  moreOrEqual: 'risesTo',
  less: 'falls',
  lessOrEqual: 'fallsTo',
  in: 'enters',
  out: 'leaves',
}

const pathWord = ({ modelPathMatcher }: { modelPathMatcher: string }) => ({
  path: { value: modelPathMatcher, field: 'modelPathMatcher' },
})

/** True inside of the band, or outside of it. */
const meetsInside = (part: Band) =>
  part.type === 'ANALOG_BAND' ? part.inside : part.mode === 'ON_ENTER'

function bandPhrase(part: Band, ids: BandIds): Phrase {
  const { min, max } = part
  const isIn = meetsInside(part)
  if (min === undefined && max !== undefined) return upperPhrase(part, ids, isIn)
  if (max === undefined && min !== undefined) return lowerPhrase(part, ids, isIn)
  const values = {
    ...pathWord(part),
    min: { value: min, field: 'min' },
    max: { value: max, field: 'max' },
  }
  const phrase: Phrase = { id: isIn ? ids.in : ids.out, values }
  const ends = unusualEnds(part)
  return ends === undefined ? phrase : { ...phrase, ends: { ends, how: isIn ? 'without' : 'with' } }
}

/** Band without a lower limit: below the upper one, or not below it. */
function upperPhrase(part: Band, ids: BandIds, isIn: boolean): Phrase {
  const [inside, outside] = part.maxOrEqual
    ? (['lessOrEqual', 'more'] as const)
    : (['less', 'moreOrEqual'] as const)
  const limit = { value: part.max, field: 'max' }
  return { id: ids[isIn ? inside : outside], values: { ...pathWord(part), limit } }
}

/** Band without an upper limit: above the lower one, or not above it. */
function lowerPhrase(part: Band, ids: BandIds, isIn: boolean): Phrase {
  const [inside, outside] = part.minOrEqual
    ? (['moreOrEqual', 'less'] as const)
    : (['more', 'lessOrEqual'] as const)
  const limit = { value: part.min, field: 'min' }
  return { id: ids[isIn ? inside : outside], values: { ...pathWord(part), limit } }
}

/** Limits that do not belong to the band; undefined where both do. */
function unusualEnds({ minOrEqual, maxOrEqual }: Band) {
  if (minOrEqual && maxOrEqual) return undefined
  if (minOrEqual) return 'max'
  return maxOrEqual ? 'min' : 'both'
}

function levelPhrase(part: Extract<SinglePart, { type: 'ON_LEVEL' }>): Phrase {
  const isEnter = part.mode === 'ON_ENTER'
  if (part.levelBool !== undefined) {
    return { id: part.levelBool === isEnter ? 'on' : 'off', values: pathWord(part) }
  }
  if (part.min !== undefined || part.max !== undefined) return bandPhrase(part, levelIds)
  const limit = { value: part.level, field: 'level' }
  return { id: isEnter ? 'risesTo' : 'falls', values: { ...pathWord(part), limit } }
}

function changePhrase(part: Extract<SinglePart, { type: 'ON_CHANGED' }>): Phrase {
  const values = pathWord(part)
  if (part.changeMask === 'TIMESTAMP_CHANGED') return { id: 'sent', values }
  if (part.deadband === 0) return { id: 'changes', values }
  const by = { value: part.deadband, field: 'deadband' }
  return { id: part.isPercentage ? 'changesByPercent' : 'changesBy', values: { ...values, by } }
}
