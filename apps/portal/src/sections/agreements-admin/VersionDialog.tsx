import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Select, Switch, Tabs, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AgreementChoice } from '../../parts/agreements/AgreementChoice.tsx'
import { api, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { languages } from '../../parts/words/locale-rules.ts'
import { useLook } from '../../parts/look/look.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './agreements-admin.module.css'
import { bodyOf, type Draft, draftOf, fieldOf } from './draft-rules.ts'
import type { Version } from './version-rules.ts'

type Props = { from?: Version; onClose: () => void; onMade: (version: Version) => void }
type Form = ReturnType<typeof useDraft>
const types = ['TERM', 'PRIVACY', 'MAINTENANCE'] as const

/** A new version: what it is, when it holds, and what it says in each language, with a preview. */
export function VersionDialog({ from, onClose, onMade }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const [other, setOther] = useState<string>()
  const form = useDraft(from)
  const create = useMutation({
    mutationFn: (draft: Draft) =>
      api.core.createAgreement({ params: { org }, body: bodyOf(draft, from) }),
    onSuccess: async (made) => {
      await stale(api.core.agreements)
      onMade(made)
    },
    onError: (error) => {
      const { message, fields } = errorText(error)
      const known = Object.entries(fields)
        .map(([path, why]) => [fieldOf(path), why] as const)
        .filter(([path]) => path in form.values && path !== 'texts')
      form.setErrors(Object.fromEntries(known))
      setOther(known.length === 0 ? (fields['texts'] ?? message) : undefined)
    },
  })
  return (
    <FormDialog
      size="xl"
      onClose={onClose}
      closeOnClickOutside={false}
      title={t(from ? 'agreements-admin.next' : 'agreements-admin.new')}
      verb={t('agreements-admin.publish')}
      pending={create.isPending}
      error={other}
      onSubmit={form.onSubmit((draft) => {
        setOther(undefined)
        create.mutate(draft)
      })}
    >
      <FactFields form={form} fixed={from !== undefined} />
      <TextFields form={form} />
      <Preview draft={form.values} version={(from?.version ?? 0) + 1} />
    </FormDialog>
  )
}

function useDraft(from: Version | undefined) {
  const t = useWords()
  return useForm({
    initialValues: draftOf(from),
    validate: ({ defaultName }) =>
      defaultName.trim() === '' ? { defaultName: t('agreements-admin.needed') } : {},
  })
}

function FactFields({ form, fixed }: { form: Form; fixed: boolean }) {
  const t = useWords()
  return (
    <>
      <div className={classes.pair}>
        <Select
          label={t('agreements-admin.type')}
          data={types.map((type) => ({ value: type, label: t(`agreements-admin.types.${type}`) }))}
          allowDeselect={false}
          disabled={fixed}
          {...form.getInputProps('type')}
        />
        <TextInput
          label={t('agreements-admin.name')}
          data-autofocus
          {...form.getInputProps('defaultName')}
        />
      </div>
      <Switch
        label={t('agreements-admin.mandatoryText')}
        {...form.getInputProps('mandatory', { type: 'checkbox' })}
      />
      <TextInput
        label={t('agreements-admin.link')}
        placeholder="https://"
        {...form.getInputProps('link')}
      />
      <div className={classes.pair}>
        <TextInput
          type="datetime-local"
          label={t('agreements-admin.start')}
          description={t('agreements-admin.startHelp')}
          {...form.getInputProps('start')}
        />
        <TextInput
          type="datetime-local"
          label={t('agreements-admin.end')}
          description={t('agreements-admin.endHelp')}
          {...form.getInputProps('end')}
        />
      </div>
    </>
  )
}

function TextFields({ form }: { form: Form }) {
  const t = useWords()
  const { language } = useLook()
  const nameOf = (code: string) =>
    new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code
  return (
    <Tabs defaultValue={language} keepMounted={false}>
      <Tabs.List aria-label={t('agreements-admin.texts')} className={classes.languages}>
        {languages.map((code) => (
          <Tabs.Tab key={code} value={code}>
            {nameOf(code)}
            {form.values.texts[code].text === '' ? '' : ' ✓'}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((code) => (
        <Tabs.Panel key={code} value={code} className={classes.fields}>
          <TextInput
            label={t('agreements-admin.title')}
            {...form.getInputProps(`texts.${code}.title`)}
          />
          <Textarea
            label={t('agreements-admin.text')}
            rows={8}
            lang={code}
            {...form.getInputProps(`texts.${code}.text`)}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Preview({ draft, version }: { draft: Draft; version: number }) {
  const t = useWords()
  const [ticked, setTicked] = useState(false)
  return (
    <section aria-label={t('agreements-admin.preview')} className={classes.preview}>
      <AgreementChoice
        agreement={{ ...draft, id: 0, version }}
        checked={ticked}
        onChange={setTicked}
      />
    </section>
  )
}
