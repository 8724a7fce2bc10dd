-- Deliveries that wait, by the server that they go to: each server is found by one step.
create index delivery_host on delivery (host, next_at) where state = 'WAITING';
drop index delivery_due;
