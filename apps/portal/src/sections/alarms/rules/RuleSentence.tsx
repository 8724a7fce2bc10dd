import type { Rule } from '@longreach/rules/rule'
import { sentenceOf, type SentencePart } from '@longreach/rules/sentence'
import { useWords } from '@longreach/ui/use-words'
import { createContext, Fragment, type ReactNode, use } from 'react'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { useWrittenValue } from '../../../parts/alarms/alarm-text.ts'
import { severityName } from '../../../parts/alarms/severity.ts'
import { SeverityShape } from '../../../parts/alarms/SeverityMark.tsx'
import { daysText } from '../../../parts/words/days-text.ts'
import { sentenceClasses as classes } from './rule-classes.ts'
import { pathText } from './path-text.ts'
import { piecesOf, placeOf } from '../../../parts/words/sentence-text.ts'

/** True within the sentence of a rule whose limits stand at its levels. */
const LimitsAtLevels = createContext(false)

type Word = (props: { place: string; children: ReactNode; empty?: boolean }) => ReactNode

type SentenceProps = { rule: Rule; Word?: Word; small?: boolean }

/** Sentence of a rule; `Word` draws the words that stand for its fields. */
export function RuleSentence({ rule, Word = PlainWord, small = false }: SentenceProps) {
  const parts = sentenceOf(rule)
  const atLevels = rule.levels.some(({ value }) => value !== undefined)
  return (
    <LimitsAtLevels value={atLevels}>
      <p className={small ? classes.small : classes.sentence}>
        {parts.map((part, index) => (
          <Fragment key={`${part.id} ${part.place}`}>
            {index > 0 && (part.id === 'raise' || part.id === 'unless' ? ', ' : ' ')}
            <Part part={part} Word={Word} />
          </Fragment>
        ))}
        .
      </p>
    </LimitsAtLevels>
  )
}

const PlainWord: Word = ({ children }) => <b className={classes.plain}>{children}</b>

type PartProps = { part: SentencePart; Word: Word; inner?: boolean }

function Part({ part, Word, inner = false }: PartProps): ReactNode {
  const { id, params } = part
  if (id === 'all' || id === 'any') return <Joined {...{ part, Word, inner }} />
  return (
    <>
      <Message part={part} Word={Word} />
      {params['forMs'] !== undefined && hasLeaf(id) && (
        <Extra part={part} Word={Word} word="for" name="forMs" />
      )}
      {(params['clear'] !== undefined || params['clearLow'] !== undefined) && (
        <Extra part={part} Word={Word} word="until" name="clear" />
      )}
    </>
  )
}

/** Kinds of parts that are comparisons of values. */
const hasLeaf = (id: SentencePart['id']) =>
  !['silence', 'silenceOfDevice', 'changedWithin'].includes(id)

/** Parts of a group, with and or or between them; a group within another one is in parentheses. */
function Joined({ part, Word, inner = false }: PartProps) {
  const t = useWords()
  const joiner = ` ${t(part.id === 'all' ? 'alarm-rules.and' : 'alarm-rules.or')} `
  return (
    <>
      {inner && '('}
      {part.parts.map((one, index) => (
        <Fragment key={one.place}>
          {index > 0 && joiner}
          <Part part={one} Word={Word} inner />
        </Fragment>
      ))}
      {inner && ')'}
    </>
  )
}

/** Words of a part, with its fields and the parts within it. */
function Message({ part, Word }: PartProps) {
  const t = useWords()
  const atLevels = use(LimitsAtLevels)
  const { id, params, parts, place } = part
  const names = [...Object.keys(params), 'limit', 'path', 'parts']
  const values = Object.fromEntries(names.map((name) => [name, placeOf(name)]))
  const text = t(`alarm-rules.s.${id}`, {
    ...values,
    has: hasLimit(part, atLevels) ? 'yes' : 'no',
    against: params['otherPath'] === undefined ? 'value' : 'path',
    source: String(params['source'] ?? ''),
  })
  return piecesOf(text).map((piece, index) => {
    const key = `${piece.kind} ${index}`
    if (piece.kind === 'words') return <Fragment key={key}>{piece.text}</Fragment>
    if (piece.kind === 'bracket') {
      return (
        <Word key={key} place={bracketPlace(part)}>
          {piece.text}
        </Word>
      )
    }
    if (piece.name === 'parts') {
      return (
        <Fragment key={key}>
          {parts.map((one) => (
            <Part key={one.place} part={one} Word={Word} inner={id === 'not'} />
          ))}
        </Fragment>
      )
    }
    return <FieldWord key={key} {...{ part, Word }} name={piece.name} place={place} />
  })
}

/** Does the part say a limit? A level only where it has one, a comparison always unless the levels say it. */
const hasLimit = ({ id, params }: SentencePart, atLevels: boolean) =>
  params['limit'] !== undefined || params['limitLow'] !== undefined || (id !== 'raise' && !atLevels)

/** Place of the field that words in brackets stand for. */
const bracketPlace = ({ id, place }: SentencePart) =>
  id === 'connected' || id === 'disconnected' ? 'when.status' : `${place}.op`

type FieldProps = { part: SentencePart; Word: Word; name: string; place: string }

function FieldWord({ part, Word, name, place }: FieldProps) {
  const t = useWords()
  const text = useFieldText()(part, name)
  const missing = text === undefined || text === ''
  const severity = name === 'severity' ? Number(part.params['severity']) : undefined
  return (
    <Word place={fieldPlace(part.id, place, name)} empty={missing}>
      {severity !== undefined && <SeverityShape name={severityName(severity)} />}
      {missing ? t(`alarm-rules.missing.${name === 'path' ? 'path' : 'value'}`) : text}
    </Word>
  )
}

/** Place of the field of a part's parameter. */
function fieldPlace(id: SentencePart['id'], place: string, name: string) {
  if (name === 'ms') return place
  if (name.startsWith('limit')) return `${place}.value`
  if (name.startsWith('clear')) return `${place}.clear`
  if (id === 'unlessRule' || id === 'schedule' || id === 'window') return place.split('.')[0] ?? ''
  return `${place}.${name}`
}

type ExtraProps = { part: SentencePart; Word: Word; word: 'for' | 'until'; name: string }

/** Time for which a comparison must hold, or the limit at which it ends. */
function Extra({ part, Word, word, name }: ExtraProps) {
  const t = useWords()
  return (
    <>
      {' '}
      {piecesOf(t(`alarm-rules.${word}`, { [name]: placeOf(name) })).map((piece) =>
        piece.kind === 'field' ? (
          <FieldWord key={name} {...{ part, Word }} name={name} place={part.place} />
        ) : (
          <Fragment key={piece.text}>{piece.text}</Fragment>
        ),
      )}
    </>
  )
}

/** Text of a parameter of a part, as people read it. */
function useFieldText() {
  const t = useWords()
  const { locale } = useIntl()
  const written = useWrittenValue()
  return ({ params }: SentencePart, name: string) => {
    const band = [params[`${name}Low`], params[`${name}High`]]
    if (band[0] !== undefined) return written(band)
    const value = params[name]
    if (name === 'severity') return t(`alarm.severity.${severityName(Number(value))}`)
    if (name === 'path' || name === 'otherPath') return pathText(String(value ?? ''), t)
    if (/^(?:ms|forMs)$/.test(name)) return lengthText(Number(value), locale)
    if (name === 'days') return daysText(String(value), locale)
    return value === undefined ? undefined : written(value)
  }
}
