-- Message that the browser took last, so that an attempt for the others leaves it alone.
alter table push_subscription add column sent_message uuid;
