/** Key of an instance of a rule among those of its device. */
export const judgedKey = (ruleId: string, instance: string) => `${ruleId} ${instance}`
