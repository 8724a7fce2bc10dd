/** Sentences for refused device messages; `{value}` stands for what the sentence is about. */
const sentences = {
  noValue: 'no value',
  notDecodable: 'neither BSON of the length it says nor a JSON object',
  timeNotInMs: 't is not a time in ms',
  kindUnknown: 'v is of a kind that no tag has, or nested too deeply',
  textExpected: 'v is no text',
  alarmField: '{field} of the alarm is not {expected}',
  alarmTooOften:
    'a newer state of this alarm follows; a device may change its alarms {most} times a second',
  topicUnbound: 'no path of its configuration has this topic',
  topicUnknown: 'unknown topic',
  noList: 'availableTags is no list',
  noIntrospection: 'no introspection',
  noAnswer: 'no answer of an agent',
  notAsked: 'an answer to nothing that was asked',
  noHealth: 'no health of an agent',
  malformedBson: 'malformed BSON: {detail}',
  malformedJson: 'malformed JSON: {detail}',
  messageTooLong: 'over {most} bytes',
  tooManyValues: 'over {most} values',
  textTooLong: 'a text of {length} characters; at most {most} are kept',
  tooOld: 'its time {time} is too long ago',
  inFuture: 'its time {time} lies in the future',
  item: 'item {index}: {rest}',
  field: 'field {name}: {rest}',
  noField: 'the struct has no field {name}',
  notFinite: '{value} is no finite number',
  notIn32Bits: '{value} is outside of 32 bits',
  notBoolean: '{value} is neither true nor false',
  notText: '{value} is no text',
  notArray: '{value} is no array',
  notStruct: '{value} is no struct',
  notBytes: '{value} is neither bytes nor base64',
} as const

type RefusalCode = keyof typeof sentences
/** Reason of a refusal: the items and fields it is in, then the fault. */
export type Refusal = { code: string; values: Record<string, string> }[]

/** English sentence of a reason. */
export const refusal = (
  code: RefusalCode,
  values: Readonly<Record<string, string | number>> = {},
) => sentences[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))

const patterns = Object.entries(sentences).map(([code, sentence]) => ({
  code,
  pattern: new RegExp(
    `^${sentence.replaceAll(/[.;:]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, '(?<$1>.*?)')}$`,
    's',
  ),
}))

/** Parts of a sentence made by `refusal`; undefined for any other text. */
export function readRefusal(text: string): Refusal | undefined {
  for (const { code, pattern } of patterns) {
    const found = pattern.exec(text)
    if (!found) continue
    const { rest, ...values } = found.groups ?? {}
    if (rest === undefined) return [{ code, values }]
    const inner = readRefusal(rest)
    // The rest after an item or field must be a known sentence too.
    if (inner) return [{ code, values }, ...inner]
  }
  return undefined
}
