import { late } from '@longreach/ui/late'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, Group, ScrollArea } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { roleParts } from '../roles/section.ts'
import { type Listed, peopleChanged, personName, useOrg, useRoles } from './people-calls.ts'
import shared from './permission.module.css'
import classes from './RolesForm.module.css'

const ImpactSummary = late(roleParts.impact, 'ImpactSummary')

/** The roles of one person as a list to tick, with what a change gives and takes before it is made. */
export function RolesForm({ person, onClose }: { person: Listed; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const known = useRoles().data?.content ?? []
  const held = person.roles ?? []
  const before = new Set(held.filter(({ own }) => own).map(({ id }) => id))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(before)
  const rolesToAdd = [...chosen].filter((id) => !before.has(id))
  const rolesToRemove = [...before].filter((id) => !chosen.has(id))
  const changed = rolesToAdd.length + rolesToRemove.length > 0
  const impact = useQuery({
    ...query(api.core.userImpact, {
      params: { org, user: person.id },
      body: { rolesToAdd, rolesToRemove },
    }),
    enabled: changed,
    placeholderData: keepPreviousData,
  })
  const save = useMutation({
    mutationFn: async () => {
      const at = (roles: number[]) => ({
        params: { org, group: person.ownGroup ?? 0, roles: roles.join(',') },
      })
      // First what is given: nobody is without rights in between.
      if (rolesToAdd.length > 0) await api.core.addGroupRoles(at(rolesToAdd))
      if (rolesToRemove.length > 0) await api.core.removeGroupRoles(at(rolesToRemove))
    },
    onSettled: () => peopleChanged(),
    onSuccess: () => {
      toast({ message: t('permission.rolesSaved', { name: personName(person) }) })
      onClose()
    },
  })
  const through = (id: number) => held.some((one) => one.id === id && !one.own)
  const toggle = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <div className={shared.form}>
      <ScrollArea.Autosize mah={260} type="auto">
        <div className={classes.rolesList} role="group" aria-label={t('permission.roles')}>
          {known.map(({ id, label }) => (
            <Checkbox
              key={id}
              size="sm"
              label={label}
              description={through(id) ? t('permission.throughGroup') : undefined}
              checked={chosen.has(id)}
              onChange={() => toggle(id)}
            />
          ))}
        </div>
      </ScrollArea.Autosize>
      <div className={classes.impact} aria-live="polite">
        {changed && impact.data && <ImpactSummary impact={impact.data} />}
        {changed && impact.error && <ErrorPanel {...errorText(impact.error)} />}
      </div>
      {chosen.size === 0 && !held.some(({ own }) => !own) && (
        <p className={shared.dim}>{t('permission.withoutRole')}</p>
      )}
      {save.error && <ErrorPanel {...errorText(save.error)} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button disabled={!changed} loading={save.isPending} onClick={() => save.mutate()}>
          {t('permission.save')}
        </Button>
      </Group>
    </div>
  )
}
