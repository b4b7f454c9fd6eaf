# Zašto je potez nemoguć. Svaka rečenica je bez tačke; iza nje dolazi član Pravila.

why-no-piece = na polju { $square } nije bilo figure kojom bi se igralo
why-not-his-piece = { $piece } na { $square } pripada protivniku ({ $foe })
why-not-his-turn = na potezu je bio { $foe }, a povukao je { $by }
why-twice = { $by } je odigrao dva poteza zaredom; na potezu je bio { $foe }
why-own-piece-there = na polju { $square } je stajala sopstvena figura: { $piece }
why-captures-king = uzet je kralj na { $square }; kralj se ne može uzeti
why-does-not-go-there = { $piece } ne može da se kreće sa { $from } na { $to }
why-blocked = na putu { $piece-gen } od { $from } do { $to } stoji { $blocker } na { $square }
why-nothing-to-capture = pešak je krenuo dijagonalno na { $square }, gde nije imao šta da uzme, ni „en passant“
why-not-promoted = pešak je stigao na { $square }, a sat je pritisnut pre nego što je zamenjen figurom
why-nothing-to-promote = ono što je stiglo na { $square } zamenjeno je drugom figurom; zamenjuje se samo pešak na poslednjem redu
why-promoted-to = pešak na { $square } ne može se promovisati u { $piece-acc }
why-king-into-check = kralj je stao na { $square }, pod šah koji daje { $attacker } sa { $at }
why-king-left-in-check = kralj na { $square } ostao je u šahu koji daje { $attacker } sa { $at }
why-pinned = { $piece } na { $square } je { $piece-gender ->
    [f] vezana
   *[m] vezan
}: kada se pomeri, kralju na { $king } šah daje { $attacker } sa { $at }
why-castling-king-moved = rokada na { $to } više nije bila moguća: kralj se već pomerao, { $move }
why-castling-rook-moved = rokada na { $to } više nije bila moguća: top se već pomerao, { $move }
why-castling-rook-captured = rokada na { $to } više nije bila moguća: top je bio uzet, { $move }
why-castling-no-right = rokada na { $to } nije moguća: u ovoj poziciji nema prava na nju
why-rook-not-moved = kralj je prešao dva polja kao u rokadi, a top je ostao na { $square }; utvrdite da li rokada samo nije dovršena
why-captured-pawn-stays = pešak uzet „en passant“ još stoji na { $square }
why-took-off = { $piece } sa { $square } { $piece-gender ->
    [f] skinuta je sa table, a potez je
   *[m] skinut je sa table, a potez ga
} ne uzima
why-castling-blocked = rokadu sprečava figura na { $square }: { $blocker }
why-castling-out-of-check = rokada iz šaha: kralju na { $square } šah je { $attacker-gender ->
    [f] davala
   *[m] davao
} { $attacker } sa { $at }
why-castling-through-check = rokada preko napadnutog polja: kralj je prešao preko { $square }, koje napada { $attacker } sa { $at }
why-castling-into-check = rokada u šah: polje { $square } napada { $attacker } sa { $at }
