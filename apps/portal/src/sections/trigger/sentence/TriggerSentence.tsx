import { Fragment, type ReactNode } from 'react'
import type { Token } from './sentence-tokens.ts'
import classes from '../../../parts/forms/sentence.module.css'

type Word = (props: { token: Token & { place: string } }) => ReactNode

type Props = { tokens: readonly Token[]; Word?: Word; small?: boolean }

/** Sentence of a trigger; `Word` draws the words that stand for its fields. */
export function TriggerSentence({ tokens, Word = StrongWord, small = false }: Props) {
  return (
    <p className={small ? classes.small : classes.sentence}>
      {tokens.map((token, index) => {
        const { text, place } = token
        const key = `${index} ${place ?? ''}`
        if (place === undefined) return <Fragment key={key}>{text}</Fragment>
        return <Word key={key} token={{ ...token, place }} />
      })}
    </p>
  )
}

const StrongWord: Word = ({ token }) => <b className={classes.plain}>{token.text}</b>
