# Почему ход невозможен. Предложения без точки: за ними следует статья Правил.

why-no-piece = на поле { $square } не было фигуры, которой можно было бы пойти
why-not-his-piece = { $piece } { $square } принадлежит сопернику ({ $foe })
why-not-his-turn = ход был за { $foe-ins }, а пошли { $by }
why-twice = { $by } сделали два хода подряд, ход был за { $foe-ins }
why-own-piece-there = поле { $square } было занято собственной фигурой: { $piece }
why-captures-king = взят король на { $square }, а король не берётся
why-does-not-go-there = { $piece } не ходит с { $from } на { $to }
why-blocked = { $blocker } на { $square } стоит на пути { $piece-gen } с { $from } на { $to }
why-nothing-to-capture = пешка пошла по диагонали на { $square }, где брать было нечего, в том числе на проходе
why-not-promoted = пешка дошла до { $square }, а часы были переключены до её замены фигурой
why-nothing-to-promote = фигура, пришедшая на { $square }, заменена другой, а превращается только пешка на последней горизонтали
why-promoted-to = пешка на { $square } не может превратиться в { $piece-acc }
why-king-into-check = король пошёл на { $square } под шах: это поле бьёт { $attacker } { $at }
why-king-left-in-check = король { $square } остался под шахом: его атакует { $attacker } { $at }
why-pinned = { $piece } { $square } { $piece-gender ->
    [f] связана
   *[m] связан
}: после хода { $piece-ins } королю { $king } объявляет шах { $attacker } { $at }
why-castling-king-moved = рокировка на { $to } была уже невозможна: король раньше ходил, { $move }
why-castling-rook-moved = рокировка на { $to } была уже невозможна: ладья раньше ходила, { $move }
why-castling-rook-captured = рокировка на { $to } была уже невозможна: ладья была взята, { $move }
why-castling-no-right = рокировка на { $to } невозможна: в этой позиции права на неё нет
why-rook-not-moved = король передвинут на два поля, как при рокировке, а ладья осталась на { $square }; выясните, не была ли рокировка просто не закончена
why-captured-pawn-stays = пешка, взятая на проходе, осталась на { $square }
why-took-off = { $piece } { $square } { $piece-gender ->
    [f] снята с доски, хотя этот ход её
   *[m] снят с доски, хотя этот ход его
} не берёт
why-castling-blocked = рокировке мешает { $blocker } { $square }
why-castling-out-of-check = рокировка из-под шаха: королю { $square } { $attacker-gender ->
    [f] объявляла
   *[m] объявлял
} шах { $attacker } { $at }
why-castling-through-check = рокировка через битое поле: король прошёл через { $square }, которое бьёт { $attacker } { $at }
why-castling-into-check = рокировка под шах: поле { $square } бьёт { $attacker } { $at }
