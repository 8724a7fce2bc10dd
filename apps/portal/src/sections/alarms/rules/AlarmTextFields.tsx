import { useWords } from '@longreach/ui/use-words'
import { ruleLanguages } from '@longreach/rules/rule'
import { Textarea } from '@mantine/core'
import { useIntl } from 'react-intl'
import { PlaceFault } from './PlaceFault.tsx'
import { useEditing } from './rule-context.ts'
import { useRuleField } from './use-rule-field.ts'
import { classes } from './rule-classes.ts'

/** Text of the alarm in each language, with placeholders for device, value and limit. */
export function AlarmTextFields() {
  const t = useWords()
  const { locale } = useIntl()
  const own = ruleLanguages.find((language) => locale.startsWith(language)) ?? 'en'
  const others = ruleLanguages.filter((language) => language !== own)
  const { faultOf } = useEditing()
  // A fault in a language that is folded away would be seen by nobody.
  const isWrong = others.some((language) => faultOf(`texts.${language}`) !== undefined)
  return (
    <div className={classes.fields}>
      <p className={classes.help}>
        {t('alarm-rules.textsHelp', {
          device: '{device}',
          value: '{value|1}',
          limit: '{limit}',
          path: '{Oven:1/speed|1}',
        })}
      </p>
      <PlaceFault place="texts" />
      <OneText language={own} />
      <details className={classes.proposal} {...(isWrong && { open: true })}>
        <summary>{t('alarm-rules.otherLanguages')}</summary>
        <div className={classes.fields}>
          {others.map((language) => (
            <OneText key={language} language={language} />
          ))}
        </div>
      </details>
    </div>
  )
}

function OneText({ language }: { language: string }) {
  const { locale } = useIntl()
  const label = new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language
  const { value, set, common } = useRuleField({ place: `texts.${language}`, label })
  return (
    <Textarea
      {...common}
      autosize
      maxLength={2_000}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) =>
        set(event.currentTarget.value === '' ? undefined : event.currentTarget.value)
      }
    />
  )
}
