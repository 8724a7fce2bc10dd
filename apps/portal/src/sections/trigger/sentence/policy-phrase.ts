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
  const { min, max, minOrEqual, maxOrEqual } = part
  const isIn = meetsInside(part)
  if (min === undefined && max !== undefined) {
    const id = isIn
      ? ids[maxOrEqual ? 'lessOrEqual' : 'less']
      : ids[maxOrEqual ? 'more' : 'moreOrEqual']
    return { id, values: { ...pathWord(part), limit: { value: max, field: 'max' } } }
  }
  if (max === undefined && min !== undefined) {
    const id = isIn
      ? ids[minOrEqual ? 'moreOrEqual' : 'more']
      : ids[minOrEqual ? 'less' : 'lessOrEqual']
    return { id, values: { ...pathWord(part), limit: { value: min, field: 'min' } } }
  }
  const values = {
    ...pathWord(part),
    min: { value: min, field: 'min' },
    max: { value: max, field: 'max' },
  }
  const phrase: Phrase = { id: isIn ? ids.in : ids.out, values }
  if (minOrEqual && maxOrEqual) return phrase
  const ends = minOrEqual ? 'max' : maxOrEqual ? 'min' : 'both'
  return { ...phrase, ends: { ends, how: isIn ? 'without' : 'with' } }
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
