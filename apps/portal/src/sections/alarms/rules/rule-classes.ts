import form from '../../../parts/forms/editor.module.css'
import sentence from '../../../parts/forms/sentence.module.css'
import own from './rules.module.css'
import ownSentence from './RuleSentence.module.css'

type Classes = Readonly<Record<string, string | undefined>>

/** Classes of the pages of rules: those of every editor beside a preview, and their own. */
export const classes: Classes = { ...form, ...own, form: form.fields, duration: form.length }

/** Classes of a rule as a sentence, whose words may have a mark before them. */
export const sentenceClasses: Classes = {
  ...sentence,
  ...ownSentence,
  plain: `${sentence.plain} ${ownSentence.plain}`,
  word: `${sentence.word} ${ownSentence.word}`,
}
