create table bench_item (id int primary key)
